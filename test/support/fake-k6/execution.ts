/** Stands for `k6/execution`. */
import { fake } from './state.ts';

export default {
  scenario: {
    get iterationInTest() {
      return fake.iteration;
    },
  },
  test: { options: {}, abort: () => undefined },
};
