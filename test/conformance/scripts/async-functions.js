// Async functions of every form, what they throw, and requests in between.

import { check, sleep } from 'k6';
import http from 'k6/http';

export const options = { iterations: 2, vus: 1 };

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
class Shop {
  k = 4;
  async find(x = 3) {
    await later(1);
    return x + this.k;
  }
  static async open() {
    return 'open';
  }
}
const table = {
  async list() {
    return http.get(`${__ENV.BASE}/async/list`, { tags: { name: 'list' } }).status;
  },
  details: async function (id) {
    await null;
    return `${id} ${arguments.length}`;
  },
};
const outer = async () => {
  throw new TypeError('from inside');
};

export async function setup() {
  await Promise.resolve(1);
  return { a: await Promise.resolve(5) };
}

export default async (data) => {
  console.log(data.a, await new Shop().find(), await Shop.open(), await table.list(), await table.details('x'));
  try {
    await outer();
  } catch (error) {
    console.log(error.name, error.message);
  } finally {
    console.log('finally');
  }
  const all = await Promise.all([later(5).then(() => 'a'), 'b', table.list()]);
  console.log(all.join());
  const both = await Promise.allSettled([Promise.reject(1), 2]);
  console.log(both.map((one) => one.status).join());
  console.log(await Promise.race([later(30), later(2).then(() => 'fast')]));
  try {
    await Promise.any([Promise.reject(1)]);
  } catch (error) {
    console.log(error.constructor.name, error.errors.join());
  }
  console.log(
    await {
      then(resolve) {
        resolve('thenable');
      },
    },
  );
  for (const path of ['/async/1', '/async/2']) {
    const answer = await Promise.resolve(http.get(__ENV.BASE + path, { tags: { name: path } }));
    check(answer, { fine: (r) => r.status === 200 });
    sleep(0.01);
  }
  const made = await new Promise(async (resolve) => {
    await null;
    resolve('made');
  });
  console.log(made, Object.prototype.toString.call(later(0)), later(0) instanceof Promise, typeof queueMicrotask);
};

export async function teardown(data) {
  await later(1);
  console.log('teardown', data.a);
}
