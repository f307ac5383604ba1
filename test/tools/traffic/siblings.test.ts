/** Names of people, places and words are values; the endpoints of real interfaces stay. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { templateLearner } from '../../../tools/traffic/templates/learn.ts';
import { analyse } from './helpers.ts';

const PEOPLE =
  'anna bernd carla dieter eva frank gerda hans ines jonas karin lars maria nils olga paul quirin rosa sven tina ulf vera willi xenia yusuf zoe emil frieda gustav hanna ida jakob klara leo mia noah otto pia ralf sara'.split(
    ' ',
  );
const CITIES =
  'berlin-nord berlin-sued hamburg muenchen koeln-deutz bremen leipzig dresden kassel mainz ulm erfurt jena gera halle kiel trier bonn essen wesel'.split(
    ' ',
  );

/** Each `METHOD /path` as often as people ask. */
function learn(requests: readonly string[], times = 20): { names: string[]; remarks: readonly string[] } {
  const learner = templateLearner();
  for (const request of requests) {
    const [method, path] = request.split(' ') as [string, string];
    for (let i = 0; i < times; i++) learner.add(method, path);
  }
  const { templates, remarks } = learner.learn();
  return { names: templates.map(({ name }) => name).sort(), remarks };
}

describe('values of one variable, each asked for often', { timeout: 120_000 }, () => {
  it.each<[string, string[], string[]]>([
    [
      'user names with pages below them, and some who asked for one page only',
      [
        ...PEOPLE.flatMap((name) => [`GET /users/${name}/orders`, `GET /users/${name}/profile`]),
        'GET /users/agnes/orders',
        'GET /users/me/orders',
        'POST /users',
      ],
      ['GET /users/me/orders', 'GET /users/{name}/orders', 'GET /users/{name}/profile', 'POST /users'],
    ],
    [
      'user names as the last segment',
      [...PEOPLE.map((name) => `GET /users/${name}`), 'POST /users/login'],
      ['GET /users/{name}', 'POST /users/login'],
    ],
    [
      'user names with and without pages below them',
      PEOPLE.flatMap((name, i) =>
        i % 3 === 0 ? [`GET /users/${name}`] : [`GET /users/${name}`, `GET /users/${name}/orders`],
      ),
      ['GET /users/{name}', 'GET /users/{name}/orders'],
    ],
    [
      'depots below a word that says nothing',
      [...CITIES.flatMap((city) => [`GET /v1/depots/${city}/hours`, `PUT /v1/depots/${city}/hours`]), 'GET /v1/depots'],
      ['GET /v1/depots', 'GET /v1/depots/{name}/hours', 'PUT /v1/depots/{name}/hours'],
    ],
    ['names right below a version', CITIES.map((city) => `GET /v1/${city}/hours`), ['GET /v1/{name}/hours']],
    ['phone numbers, from the first on', ['GET /tel/+4917055501'], ['GET /tel/{phone}']],
    [
      'coordinates',
      ['GET /weather/52.52,13.40', 'GET /near/52.5200/13.4050'],
      ['GET /near/{place}/{place}', 'GET /weather/{place}'],
    ],
    [
      'search words',
      ['red%20shoes', 'blue%20hat', 'gr%C3%BCn', 'shirt+xl'].map((word) => `GET /go/${word}`),
      ['GET /go/{name}'],
    ],
    [
      'names with numbers',
      ['anna1987', 'bob_2001', 'c4rl99x1'].map((name) => `GET /p-of/${name}`),
      ['GET /p-of/{name}'],
    ],
    [
      'owners and repositories',
      PEOPLE.flatMap((name, i) => [
        `GET /repos/${name}/proj${CITIES[i % 20]}x/issues`,
        `GET /repos/${name}/tool${PEOPLE[i]}/issues`,
      ]),
      ['GET /repos/{name}/{name}/issues'],
    ],
    [
      'many languages',
      'en de fr es it pl nl sv da fi cs hu'.split(' ').flatMap((lang) => [`GET /${lang}/shop`, `GET /${lang}/about`]),
      ['GET /{lang}/about', 'GET /{lang}/shop'],
    ],
    [
      'categories',
      'shoes hats coats shirts socks belts bags rings scarves'.split(' ').map((word) => `GET /category/${word}`),
      ['GET /category/{name}'],
    ],
    [
      'ids and names in one place, which no path tells apart',
      [...PEOPLE.map((name) => `GET /users/${name}`), 'GET /users/7'],
      ['GET /users/{name}'],
    ],
  ])('%s', (_what, requests, expected) => {
    expect(learn(requests).names).toEqual(expected.sort());
  });
});

describe('endpoints', { timeout: 120_000 }, () => {
  const crud =
    'books carts orders users authors reviews invoices payments shipments vouchers returns stocks prices banners'
      .split(' ')
      .flatMap((name) => [
        `GET /api/${name}`,
        `POST /api/${name}`,
        `GET /api/${name}/7`,
        `DELETE /api/${name}/7`,
        `GET /api/${name}/search`,
        `GET /api/${name}/count`,
      ]);
  const rpc =
    'getUser listOrders createOrder cancelOrder getCart addItem removeItem checkout login logout searchBooks getBook updateProfile'
      .split(' ')
      .map((name) => `POST /rpc/${name}`);
  const sets: [string, string[]][] = [
    ['of a REST interface', crud],
    ['of calls by name', rpc],
    ['of calls in snake case', rpc.map((one) => one.replace(/[A-Z](?=[a-z]+$)/, (c) => `_${c.toLowerCase()}`))],
    [
      'of gRPC',
      'GetUser ListUsers CreateUser DeleteUser UpdateUser BatchGetUsers SearchUsers ExportUsers LockUser UnlockUser'
        .split(' ')
        .map((name) => `POST /shop.v1.UserService/${name}`),
    ],
    [
      'of calls by resource and verb',
      'user order product cart stock price bill mail shop news'
        .split(' ')
        .flatMap((name) => [`POST /${name}/list`, `POST /${name}/create`, `POST /${name}/update`]),
    ],
    [
      'below an id',
      'orders carts profile address payments reviews wishes points invoices devices'
        .split(' ')
        .map((name) => `GET /customers/7/${name}`),
    ],
    [
      'of services that have nothing in common',
      [
        'auth/token',
        'auth/keys',
        'shop/items',
        'bill/open',
        'mail/inbox',
        'chat/rooms',
        'geo/near',
        'news/today',
        'jobs/next',
        'ads/spot',
      ].map((name) => `GET /api/${name}`),
    ],
    ['of few languages', ['en', 'de', 'fr'].flatMap((lang) => [`GET /${lang}/shop`, `GET /${lang}/about`])],
    ['of versions', ['v1', 'v2', 'v3', 'v4', '2.0'].map((version) => `GET /api/${version}/orders`)],
    ['few', ['books', 'carts', 'orders', 'status'].map((name) => `GET /api/${name}`)],
    [
      'of pages',
      'about contact terms privacy imprint jobs press help blog home'.split(' ').map((name) => `GET /${name}`),
    ],
    ['with numbers in their names', ['oauth2', 's3', 'ipv4', 'mp3', 'h264'].map((name) => `GET /api/${name}`)],
  ];
  it.each(sets)('%s stay', (_what, requests) => {
    expect(learn(requests).names).toEqual([...new Set(requests.map((one) => one.replace('/7', '/{id}')))].sort());
  });
  it.each(sets.filter(([what]) => /REST|calls|gRPC/.test(what)))('%s give no remark', (_what, requests) => {
    expect(learn(requests).remarks).toEqual([]);
  });
  it('of a short log stay as well', () => {
    expect(learn(crud, 1).names).toHaveLength(84);
    expect(learn(rpc, 1).names).toHaveLength(13);
  });
});

describe('remarks', { timeout: 120_000 }, () => {
  it('tell what was taken for values, and how many may be, without the values', () => {
    expect(learn(CITIES.map((city) => `GET /v1/depots/${city}/hours`)).remarks).toEqual([
      '20 siblings below /v1/depots/ look like values and were taken as {name}; pin them with --templates if they are endpoints',
    ]);
    expect(learn(PEOPLE.slice(0, 20).map((name) => `GET /${name}`)).remarks).toEqual([
      expect.stringMatching(
        /^20 siblings below \/ were taken as endpoints by their own names; .*\/\{name\} with --templates/,
      ),
    ]);
  });

  it('tell of endpoints that came up only after what was learned from', async () => {
    const agent = 'x'.repeat(4000);
    const line = (path: string): string =>
      `192.0.2.1 - - [04/Mar/2024:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"`;
    const head = Array.from({ length: 4300 }, () => line('/a'));
    const log = (late: readonly string[]): string => `${[...head, ...late.map(line)].join('\n')}\n`;
    const remarksOf = async (late: readonly string[]): Promise<string> =>
      buildModel(await analyse({ 'a.log': log(late) }), { replicates: 5 }).remarks.join('\n');
    expect(await remarksOf(PEOPLE.slice(0, 9).map((name) => `/late/${name}`))).toMatch(
      /^9 endpoints came up only after/m,
    );
    expect(await remarksOf(['/late/anna', '/a?search=x', '/a?q=y'])).not.toMatch(/came up only after/);
  });
});
