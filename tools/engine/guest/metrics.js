// The module `k6/metrics` inside the virtual machine.
import { addSample, ask, state } from 'k6:core';
import { badTagMessage, GoError } from 'k6:shared';

class Metric {
  constructor(type, name, isTime) {
    if (!state.init) throw new GoError('metrics must be declared in the init context');
    const text = String(name);
    this.name = text;
    const id = ask('metric', JSON.stringify([type, text, isTime === true]));
    // The object's own and bound, as in k6, where it works without its object.
    this.add = (value, tags) => add(text, id, value, tags);
  }
}

function add(name, id, value, tags) {
  if (state.init) throw new GoError('metrics cannot be added in the init context');
  const number = typeof value === 'boolean' ? Number(value) : value === null ? Number.NaN : Number(value);
  if (Number.isNaN(number)) {
    const text = `'${value}' is an invalid value for metric '${name}', a number or a boolean value is expected`;
    ask('log', JSON.stringify(['warning', text, false]));
    return false;
  }
  const bad = addSample(id, number, tags);
  if (bad !== undefined) {
    throw new GoError(`cannot add tags for the '${name}' custom metric: ${badTagMessage(bad)}`);
  }
  return true;
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
