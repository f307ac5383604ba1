// The module `k6/execution` inside the virtual machine.
import { ask, state } from 'k6:core';
import { badTag, badTagMessage, GoError } from 'k6:shared';

const iterationOnly = (what) => {
  if (state.init) throw new GoError(`getting ${what} information in the init context is not supported`);
};

const scenarioFact = (name) => ({
  enumerable: true,
  get() {
    iterationOnly('scenario');
    if (state.call.scenario === undefined) {
      throw new GoError('getting scenario information outside of the VU context is not supported');
    }
    return name === 'progress' ? ask('progress') : state.call.scenario[name];
  },
});
export const scenario = Object.defineProperties(
  {},
  Object.fromEntries(
    ['name', 'executor', 'startTime', 'progress', 'iterationInInstance', 'iterationInTest'].map((name) => [
      name,
      scenarioFact(name),
    ]),
  ),
);

const instanceFact = (name) => ({
  enumerable: true,
  get() {
    iterationOnly('instance');
    return ask('instance')[name];
  },
});
export const instance = Object.defineProperties(
  {},
  Object.fromEntries(
    ['iterationsInterrupted', 'iterationsCompleted', 'vusActive', 'vusInitialized', 'currentTestRunDuration'].map(
      (name) => [name, instanceFact(name)],
    ),
  ),
);

/**
 * Tags or metadata of a VU: written by the script, merged into every later sample of this VU.
 * @param own name of those that the script wrote in `state`
 * @param given what the run and the scenario set
 */
function sampleFields(own, given, complain) {
  const all = () => ({ ...given(), ...state[own] });
  return new Proxy(
    {},
    {
      get: (_, key) => (typeof key === 'string' ? all()[key] : undefined),
      set(_, key, value) {
        if (badTag({ [key]: value }) !== undefined) throw new TypeError(complain(key));
        state[own][key] = String(value);
        ask(own, JSON.stringify(state[own]));
        return true;
      },
      deleteProperty(_, key) {
        delete state[own][key];
        ask(own, JSON.stringify(state[own]));
        return true;
      },
      has: (_, key) => key in all(),
      ownKeys: () => Object.keys(all()),
      getOwnPropertyDescriptor: (_, key) =>
        key in all() ? { value: all()[key], enumerable: true, configurable: true, writable: true } : undefined,
    },
  );
}

const tagObject = sampleFields('vuTags', () => ({ ...ask('baseTags'), group: state.group }), badTagMessage);
const metadataObject = sampleFields(
  'vuMetadata',
  () => ({}),
  (key) =>
    `invalid value for metric metadata '${key}': only String, Boolean and Number types are accepted as a metric metadata value`,
);

const readOnly = (name, value) => ({
  enumerable: true,
  get: () => value,
  set() {
    throw new TypeError(`Cannot assign to read only property '${name}'`);
  },
});

const vuFact = (name) => ({
  enumerable: true,
  get() {
    iterationOnly('VU');
    return state.call.vu?.[name];
  },
});
export const vu = Object.defineProperties(
  {},
  {
    idInInstance: vuFact('idInInstance'),
    idInTest: vuFact('idInTest'),
    iterationInInstance: vuFact('iterationInInstance'),
    iterationInScenario: vuFact('iterationInScenario'),
    tags: readOnly('tags', tagObject),
    metrics: {
      enumerable: true,
      value: Object.defineProperties(
        {},
        { tags: readOnly('tags', tagObject), metadata: readOnly('metadata', metadataObject) },
      ),
    },
  },
);

let options;
export const test = {
  abort: (reason) => {
    const text = reason === undefined ? '' : String(reason);
    ask('abort', JSON.stringify([text, state.init]));
    throw new GoError(text === '' ? 'test aborted' : `test aborted: ${text}`);
  },
  fail: (reason) => {
    ask('fail', reason === undefined ? '' : String(reason));
  },
  get options() {
    iterationOnly('test options');
    if (options === undefined) options = ask('options');
    return options;
  },
};

export default { scenario, instance, vu, test };
