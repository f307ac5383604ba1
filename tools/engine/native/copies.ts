/** Copies of what the engine hands to a realm, made of the realm's own objects. */

/** Source of a function that gives `copy` of any plain data, and the two kinds of which there are millions. */
export const COPIES = `() => {
  const copy = (value) => {
    if (value === null || typeof value !== 'object') return value;
    const own = Array.isArray(value) ? [] : {};
    for (const key in value) own[key] = copy(value[key]);
    return own;
  };
  // Objects of which there are millions are written out, so that all are of one kind and quick to make.
  const templates = new WeakMap();
  const headersOf = (headers) => {
    let template = templates.get(headers);
    if (template === undefined) {
      template = copy(headers);
      templates.set(headers, template);
    }
    return { ...template };
  };
  const answer = ({ response, raw, now }) => {
    const { status, body, headers, timings: t, error, error_code } = response;
    const { duration, blocked, looking_up, connecting, tls_handshaking, sending, waiting, receiving } = t;
    const timings = { duration, blocked, looking_up, connecting, tls_handshaking, sending, waiting, receiving };
    return { response: { status, body, headers: headersOf(headers), timings, error, error_code }, raw, now };
  };
  const iteration = ({ command, exec, vuIteration, setup, env, scenario, vu, discard, now }) => {
    const { executor, startTime, iterationInInstance, iterationInTest, name } = scenario;
    return {
      command,
      exec,
      vuIteration,
      setup,
      env: copy(env),
      scenario: { executor, startTime, iterationInInstance, iterationInTest, name },
      vu: {
        idInInstance: vu.idInInstance,
        idInTest: vu.idInTest,
        iterationInInstance: vu.iterationInInstance,
        iterationInScenario: vu.iterationInScenario,
      },
      discard,
      now,
    };
  };
  return { copy, answer, iteration };
}`;
