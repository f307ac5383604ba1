import { describe, expect, it } from 'vitest';
import { agentClass, kernelKind, kernelNoiseOf, NOISE, noiseOf, pathClass } from '../../../tools/traffic/pass/noise.ts';
import { templateLearner } from '../../../tools/traffic/templates/learn.ts';
import { parseTemplate, routeTable } from '../../../tools/traffic/templates/route-table.ts';
import { placeholderOf } from '../../../tools/traffic/templates/segments.ts';

describe('path segments', { timeout: 120_000 }, () => {
  it.each([
    ['9790000000019', 'isbn'],
    ['1709546400000', 'id'],
    ['42', 'id'],
    ['6f9619ff-8b86-4011-b42d-00c04fc964ff', 'id'],
    ['9e107d9d372bb6826bd81d3542a419d6', 'hash'],
    ['2024-03-04', 'date'],
    ['jo%40example.com', 'email'],
    ['01HQZX3V9K4M7N8P2R5S6T7V8W', 'token'],
    ['books', undefined],
    ['a-very-long-title-of-some-blog-post-number-7', undefined],
    ['feedface', undefined],
    ['+4917012345678', 'phone'],
    ['%2B49%20170%201234567', 'phone'],
    ['0170-1234567', 'phone'],
    ['52.5200,13.4050', 'place'],
    ['13.4050', 'place'],
    ['2.0', undefined],
    ['2.13.1', undefined],
    ['203.0.113.7', 'ip'],
    ['jo%2Bbooks%40example.co.uk', 'email'],
    ['jo%2540example', 'email'],
    ['@anna', 'name'],
    ['v2', undefined],
    ['oauth2', undefined],
  ])('%s is %s', (segment, expected) => {
    expect(placeholderOf(segment)).toBe(expected);
  });
});

describe('learned templates', { timeout: 120_000 }, () => {
  it('fold many siblings into one placeholder and keep endpoints of another nature', () => {
    const learner = templateLearner();
    for (let i = 0; i < 751; i++) learner.add('GET', `/shop/wooden-thing-${i}`);
    for (let i = 0; i < 249; i++) learner.add('GET', `/shop/wooden-thing-${i}`);
    for (let i = 0; i < 50; i++) learner.add('POST', '/shop/checkout');
    for (let i = 0; i < 50; i++) learner.add('GET', `/users/${i}/orders/${i * 3}`);
    for (const page of ['home', 'about', 'terms']) for (let i = 0; i < 30; i++) learner.add('GET', `/${page}`);
    expect(
      learner
        .learn()
        .templates.map(({ name }) => name)
        .sort(),
    ).toEqual([
      'GET /about',
      'GET /home',
      'GET /shop/{slug}',
      'GET /terms',
      'GET /users/{id}/orders/{id}',
      'POST /shop/checkout',
    ]);
  });
});

describe('routes', { timeout: 120_000 }, () => {
  const table = routeTable(
    ['GET /a/{id}', 'GET /a/new', 'GET /a?search=', 'GET /a']
      .map((name) => parseTemplate(name))
      .filter((t) => t !== undefined),
    [],
  );
  it('take the most literal template, and rules for what fits none', () => {
    const name = (method: string, path: string): string | undefined => table.names[table.find(method, path).route];
    expect(name('GET', '/a/7')).toBe('GET /a/{id}');
    expect(name('GET', '/a/new')).toBe('GET /a/new');
    expect(name('GET', '/a/')).toBe('GET /a');
    expect(name('DELETE', '/a/7')).toBe('DELETE /a/{id}');
    expect(name('GET', '/b/978031614841/x')).toBe('GET /b/{id}/x');
    expect(table.find('GET', '/a').byQuery.map(({ key }) => key)).toEqual(['search']);
  });
});

describe('noise', { timeout: 120_000 }, () => {
  const classOf = (path: string, agent: string, status: number, method = 'GET'): string | undefined =>
    NOISE[noiseOf(pathClass(path), agentClass(agent), method, status, -1)];
  it.each([
    ['/wp-login.php', 'Mozilla/5.0', 404, 'scanner'],
    ['/index.php', 'Mozilla/5.0', 200, 'none'],
    ['/healthz', 'curl/8', 200, 'health'],
    ['/app.css', 'Mozilla/5.0', 200, 'static'],
    ['/a', 'Mozilla/5.0 (compatible; Googlebot/2.1)', 200, 'bot'],
    ['/a', 'ELB-HealthChecker/2.0', 200, 'monitoring'],
    ['/a', 'Mozilla/5.0', 302, 'redirect'],
    ['/a', 'Mozilla/5.0', 304, 'none'],
    ['/a', 'Mozilla/5.0', 503, '5xx'],
    ['/a', 'Mozilla/5.0 (Linux; Android 9; CUBOT X19) Chrome/100', 200, 'none'],
    ['/a', 'CUBOT_X18_Plus', 200, 'none'],
    ['/a', 'SomeBot/1', 200, 'bot'],
    ['/v1/labels/123.pdf', 'Mozilla/5.0', 200, 'none'],
    ['/v1/orders/123/invoice.pdf', 'Mozilla/5.0', 200, 'none'],
    ['/menu/2024/03/menu.pdf', 'Mozilla/5.0', 200, 'static'],
    ['/terms.pdf', 'Mozilla/5.0', 200, 'static'],
    ['/images/123.png', 'Mozilla/5.0', 200, 'static'],
  ])('%s by %s answered %i is %s', (path, agent, status, expected) => {
    expect(classOf(path, agent, status)).toBe(expected);
  });

  it.each([
    ['POST', 303, 'none'],
    ['POST', 302, 'none'],
    ['DELETE', 303, 'none'],
    ['POST', 307, 'redirect'],
    ['HEAD', 302, 'redirect'],
    ['GET', 303, 'redirect'],
  ])('%s answered %i is %s', (method, status, expected) => {
    expect(classOf('/login', 'Mozilla/5.0', status, method)).toBe(expected);
  });

  it('is the same by the kinds that the kernel knows', () => {
    for (const path of ['/a', '/login.php', '/healthz', '/a.css']) {
      for (const method of ['GET', 'OPTIONS', 'POST', 'HEAD', 'DELETE', 'PROPFIND']) {
        for (const status of [0, 200, 302, 303, 308, 404, 503]) {
          const { pathClass: kind, options } = kernelKind(pathClass(path), method);
          for (const agent of [0, 1, 2])
            expect(kernelNoiseOf(kind, options, agent, status), `${method} ${path} ${status}`).toBe(
              noiseOf(pathClass(path), agent, method, status, -1),
            );
        }
      }
    }
  });
});
