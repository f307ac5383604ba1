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

/** The VU's own tags: written by the script, merged into every later sample of this VU. */
const tagObject = new Proxy(
  {},
  {
    get(_, key) {
      if (typeof key !== 'string') return undefined;
      if (key === 'group') return state.vuTags.group ?? state.group;
      if (key === 'scenario') return state.vuTags.scenario ?? state.call.scenario?.name;
      return state.vuTags[key];
    },
    set(_, key, value) {
      const bad = badTag({ [key]: value });
      if (bad !== undefined) throw new TypeError(badTagMessage(bad));
      state.vuTags[key] = String(value);
      ask('tags', JSON.stringify(state.vuTags));
      return true;
    },
    deleteProperty(_, key) {
      delete state.vuTags[key];
      ask('tags', JSON.stringify(state.vuTags));
      return true;
    },
    has: (_, key) => key in state.vuTags || key === 'group' || key === 'scenario',
    ownKeys: () => [...new Set(['scenario', 'group', ...Object.keys(state.vuTags)])],
    getOwnPropertyDescriptor: (_, key) => ({
      value: key === 'group' ? state.group : (state.vuTags[key] ?? state.call.scenario?.name),
      enumerable: true,
      configurable: true,
    }),
  },
);

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
    tags: {
      enumerable: true,
      get() {
        return tagObject;
      },
      set() {
        throw new GoError(
          'assigning exec.vu.tags is not offered by the embedded engine; set single tags, or run with k6',
        );
      },
    },
    metrics: { enumerable: true, value: { tags: tagObject, metadata: {} } },
  },
);

let options;
export const test = {
  abort: (reason) => {
    if (state.init) throw new GoError('aborting the test in the init context is not supported');
    ask('abort', reason === undefined ? '' : String(reason));
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
