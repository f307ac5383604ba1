// What one VU changes of what k6's modules give it, no other VU may see: where it cannot be had for itself, it cannot be changed.
import { check, sleep } from 'k6';
import { SharedArray } from 'k6/data';
import http from 'k6/http';

export const options = {
  scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2, maxDuration: '10m' } },
};

const things = new SharedArray('things', () => ['text', 7, true, null, { a: [1] }, [2]]);
let own = 0;

const say = (text) => console.log(`${__VU} ${__ITER} ${text}`);

function attempt(what, change) {
  let how = 'done';
  try {
    change();
  } catch (error) {
    how = error.name;
  }
  say(`${what}: ${how}`);
}

function errorOf(wrong) {
  try {
    wrong();
  } catch (error) {
    return error;
  }
  return undefined;
}

export default function () {
  const response = http.get(`${__ENV.BASE}/x?y=1`, { tags: { name: 'x' } });
  const kind = Object.getPrototypeOf(response);
  const error = errorOf(() => http.batch(5));
  const errors = Object.getPrototypeOf(error);
  for (const thing of [kind, response, response.json, errors, errors.constructor]) say(`sees ${thing.mark}`);
  attempt('responses', () => {
    kind.mark = __VU;
  });
  attempt('a method', () => {
    response.json.mark = __VU;
  });
  attempt('errors', () => {
    errors.mark = __VU;
    errors.constructor.mark = __VU;
  });
  attempt('its own response', () => {
    response.mark = __VU;
    response.url = `mine ${__VU}`;
    response.json = () => 'mine';
    response.status = -1;
  });
  say(`${response.mark} ${response.url} ${response.json()} ${response.status} ${Object.keys(response).includes('url')}`);
  attempt('its own http', () => {
    say(`http ${http.mark}`);
    http.mark = __VU;
  });
  say(things.map((thing, i) => `${i} ${JSON.stringify(thing)} ${things[i] === thing}`).join());
  attempt('an element', () => {
    things[4].a.push(__VU);
  });
  say(`${things.length} ${things[6]} ${things['01']} ${things[1.5]} ${things[-1]} ${'5' in things} ${'6' in things}`);
  sleep(1 + Math.random());
  own++;
  check(response, { own: () => own === __ITER + 1 }, { n: 1, yes: true });
  attempt('a tag', () => check(response, { never: true }, { wrong: {} }));
}
