// The module `k6/metrics` inside the virtual machine.
import { addSample, ask, badTag, badTagMessage, GoError, state, textTags } from 'k6:core';

class Metric {
  constructor(type, name, isTime) {
    if (!state.init) throw new GoError('metrics must be declared in the init context');
    this.name = String(name);
    Object.defineProperty(this, '_id', { value: ask('metric', JSON.stringify([type, this.name, isTime === true])) });
    // The object's own and bound, as in k6, where it works without its object.
    this.add = (value, tags) => this._add(value, tags);
  }

  _add(value, tags) {
    if (state.init) throw new GoError('metrics cannot be added in the init context');
    const number = typeof value === 'boolean' ? Number(value) : value === null ? Number.NaN : Number(value);
    if (Number.isNaN(number)) {
      const text = `'${value}' is an invalid value for metric '${this.name}', a number or a boolean value is expected`;
      ask('log', JSON.stringify(['warning', text, false]));
      return false;
    }
    let extra = 0;
    if (tags !== undefined && tags !== null) {
      const bad = badTag(tags);
      if (bad !== undefined) {
        throw new GoError(`cannot add tags for the '${this.name}' custom metric: ${badTagMessage(bad)}`);
      }
      extra = textTags(tags);
    }
    addSample(this._id, number, extra);
    return true;
  }
}

export class Counter extends Metric {
  constructor(name, isTime) {
    super('counter', name, isTime);
  }
}
export class Gauge extends Metric {
  constructor(name, isTime) {
    super('gauge', name, isTime);
  }
}
export class Trend extends Metric {
  constructor(name, isTime) {
    super('trend', name, isTime);
  }
}
export class Rate extends Metric {
  constructor(name, isTime) {
    super('rate', name, isTime);
  }
}

export default { Counter, Gauge, Trend, Rate };
