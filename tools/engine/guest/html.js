// The module `k6/html` inside the virtual machine; documents lie in the engine.
import { ask, refuse, state } from 'k6:core';
import { GoError } from 'k6:shared';

/** Documents live as long as the call that they were read in. */
let owner;

function tell(id, operation, ...given) {
  const answer = ask('html', JSON.stringify([owner === state.call ? 0 : 1, id, operation, given]));
  owner = state.call;
  if (answer.refused !== undefined) refuse(`the selector "${answer.refused}"`);
  return answer;
}

/** Whoever touches what is not here is told so, and not handed `undefined`. */
const lacking = (what) =>
  new Proxy(Object.prototype, {
    get(target, key, receiver) {
      if (typeof key !== 'string' || key === 'toJSON' || key === 'then' || key in target) {
        return Reflect.get(target, key, receiver);
      }
      return refuse(`${what}.${key}`);
    },
  });

class Element {
  #selection;
  #node;

  constructor(selection, node) {
    this.#selection = selection;
    this.#node = node;
  }

  nodeName() {
    return this.#node.name;
  }
  nodeType() {
    return 1;
  }
  getAttribute(name) {
    const found = this.#node.attributes.find(([key]) => key === String(name).toLowerCase());
    return found === undefined ? undefined : found[1];
  }
  hasAttribute(name) {
    return this.getAttribute(name) !== undefined;
  }
  hasAttributes() {
    return this.#node.attributes.length > 0;
  }
  attributes() {
    const entries = this.#node.attributes.map(([name, value]) => [name, { name, value }]);
    return Object.fromEntries(entries);
  }
  id() {
    return this.getAttribute('id') ?? '';
  }
  classList() {
    return (this.getAttribute('class') ?? '').split(/\s+/).filter((name) => name !== '');
  }
  className() {
    return this.getAttribute('class') ?? '';
  }
  textContent() {
    return this.#selection.text();
  }
  innerHTML() {
    return this.#selection.html();
  }
  children() {
    return elements(this.#selection.children());
  }
  childElementCount() {
    return this.#selection.children().size();
  }
  querySelector(selector) {
    return elements(this.#selection.find(selector))[0];
  }
  querySelectorAll(selector) {
    return elements(this.#selection.find(selector));
  }
}
Object.setPrototypeOf(Element.prototype, lacking('Element'));

const elements = (selection) => selection.toArray().map(elementOf);

function elementOf(selection) {
  const node = tell(selection.__id, 'node').value;
  return node === undefined ? refuse('a node that is no element') : new Element(selection, node);
}

const selected = (id, operation, ...given) => {
  const { id: made, size } = tell(id, operation, ...given);
  return new Selection(made, size);
};

class Selection {
  #id;
  #size;

  constructor(id, size) {
    this.#id = id;
    this.#size = size;
  }

  get __id() {
    return this.#id;
  }

  #numbered(test) {
    const kept = [];
    this.toArray().forEach((one, i) => {
      if (test(i, one)) kept.push(i);
    });
    return kept;
  }

  #matching(operation, given, keep) {
    if (given instanceof Selection) return selected(this.#id, `${operation}Selection`, given.#id);
    if (typeof given === 'function')
      return selected(
        this.#id,
        'indices',
        this.#numbered((i, one) => keep(given(i, one))),
      );
    return selected(this.#id, operation, String(given));
  }

  find(selector) {
    return selected(this.#id, 'find', String(selector));
  }
  closest(selector) {
    return selected(this.#id, 'closest', String(selector));
  }
  has(selector) {
    return selected(this.#id, 'has', String(selector));
  }
  filter(given) {
    return this.#matching('filter', given, Boolean);
  }
  not(given) {
    return this.#matching('not', given, (is) => !is);
  }
  is(given) {
    if (given instanceof Selection) return tell(this.#id, 'isSelection', given.#id).value;
    if (typeof given === 'function') return this.#numbered(given).length > 0;
    return tell(this.#id, 'is', String(given)).value;
  }
  contents() {
    return selected(this.#id, 'contents');
  }
  eq(index) {
    return selected(this.#id, 'eq', Math.trunc(Number(index)) || 0);
  }
  first() {
    return this.eq(0);
  }
  last() {
    return this.eq(-1);
  }
  slice(start, end) {
    return selected(this.#id, 'slice', start, end);
  }
  get(index) {
    return index < this.#size ? elementOf(this.eq(index)) : undefined;
  }
  toArray() {
    return Array.from({ length: this.#size }, (_, i) => this.eq(i));
  }
  each(handler) {
    if (typeof handler !== 'function') throw new GoError('the argument to each() must be a function');
    this.toArray().forEach((one, i) => {
      handler(i, elementOf(one));
    });
    return this;
  }
  map(mapper) {
    if (typeof mapper !== 'function') throw new GoError('the argument to map() must be a function');
    return this.toArray().map((one, i) => mapper(i, one));
  }
  size() {
    return this.#size;
  }
  attr(name, otherwise) {
    return tell(this.#id, 'attr', String(name)).value ?? otherwise;
  }
  data(key) {
    return tell(this.#id, 'data', key).value;
  }
  html() {
    return tell(this.#id, 'html').value;
  }
  text() {
    return tell(this.#id, 'text').value;
  }
  val() {
    return tell(this.#id, 'val').value;
  }
  serializeArray() {
    return tell(this.#id, 'form').value;
  }
  serializeObject() {
    return Object.fromEntries(this.serializeArray().map(({ name, value }) => [name, value]));
  }
  serialize() {
    return ask(
      'urlEncoded',
      JSON.stringify(
        this.serializeArray().flatMap(({ name, value }) => [value].flat().map((one) => [name, String(one)])),
      ),
    );
  }
}
const textOr = (given) => (given === undefined ? undefined : String(given));
for (const name of 'children next nextAll nextUntil parent parents parentsUntil prev prevAll prevUntil'.split(' ')) {
  Selection.prototype[name] = function (selector, filter) {
    return selected(this.__id, name, textOr(selector), textOr(filter));
  };
}
Object.setPrototypeOf(Selection.prototype, lacking('Selection'));

export function parseHTML(text) {
  const { id, size } = tell(0, 'parse', String(text));
  return new Selection(id, size);
}

export default { parseHTML };
