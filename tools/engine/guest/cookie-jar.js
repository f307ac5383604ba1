// Cookie jars of k6/http. The VU's own lies in the engine; one that a script makes holds its cookies itself, as text.
import { ask } from 'k6:core';
import { GoError } from 'k6:shared';

const OF_VU = {};
/** What the jars of the script's own hold. */
const saved = new WeakMap();

function call(jar, operation, ...given) {
  const answer = ask('jar', JSON.stringify([saved.get(jar), operation, ...given]));
  if (answer.saved !== undefined) saved.set(jar, answer.saved);
  return answer.value;
}

export class CookieJar {
  constructor(mark) {
    if (mark !== OF_VU) saved.set(this, '');
  }

  cookiesForURL(url) {
    return call(this, 'cookiesForURL', String(url));
  }

  set(url, name, value, options) {
    const texts = {};
    for (const key of options === undefined || options === null ? [] : Object.keys(options)) {
      const asked = key.toLowerCase();
      const isFlag = asked === 'secure' || asked === 'http_only';
      texts[asked] = String(isFlag ? Boolean(options[key]) : options[key]);
    }
    return call(this, 'set', String(url), String(name), String(value), texts);
  }

  clear(url) {
    call(this, 'clear', String(url));
  }

  delete(url, name) {
    if (name === undefined || name === '') throw new GoError('cookie: is null');
    call(this, 'delete', String(url), String(name));
  }
}

export const ofVu = () => new CookieJar(OF_VU);

/** @returns what one of the script's own holds; undefined for the VU's */
export const savedIn = (jar) => saved.get(jar);

/** Takes over what requests have put into jars. @param texts in the order of the jars */
export function keep(jars, texts) {
  jars.forEach((jar, i) => {
    saved.set(jar, texts[i]);
  });
}
