/** The report shows what it is given as text, needs no network, and opens without an error where chromium is there. */
import { beforeAll, describe, expect, it } from 'vitest';
import { escapeJson, escapeMarkdown } from '../../../tools/base/escape.ts';
import { findChromium, openPage } from '../../../tools/lab/bench/report-page.ts';
import { chartData } from '../../../tools/report/data.ts';
import { reportHtml } from '../../../tools/report/html.ts';
import { reportJunit } from '../../../tools/report/junit.ts';
import { reportMarkdown } from '../../../tools/report/markdown.ts';
import { type Analysis, withSamples } from '../../../tools/verdict/analyse.ts';
import { HEADER, made, requestRows } from '../verdict/support.ts';

const EVIL = '</script><img src=x onerror=alert(1)>';
let analysis: Analysis;
let html = '';

beforeAll(async () => {
  const names = [EVIL, '"><b>quoted', 'a\nb', 'x=1&y=2', 'GET /plain|pipe @team'];
  const rows = Array.from({ length: 400 }, (_, i) =>
    requestRows(1795982260000 + i * 50, 5 + (i % 40), {
      name: names[i % names.length] ?? '',
      status: i % 25 === 0 ? 503 : 200,
    }),
  );
  const check = `checks,1795982260000,0,"""><b>bold",,,,,,,,browse,,,,,,,\n`;
  const rules = made(
    'rules.json',
    JSON.stringify({ [`http_req_duration{name:${EVIL}}`]: ['p(95)<1'], checks: ['rate>0.9'] }),
  );
  await withSamples(
    { paths: [made('evil.csv', `${HEADER}\n${rows.join('')}${check}`)], rules },
    async (database, result) => {
      analysis = result;
      if (database === undefined) throw new Error('no samples');
      html = reportHtml(result, await chartData(database, result), { title: EVIL });
    },
  );
});

describe('HTML report', () => {
  it('shows markup in names as text, in the page and in its data', () => {
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('</script><img');
    expect(html).not.toContain('<b>quoted');
    expect(html).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;');
    // Three scripts: data, library, client; each closed once.
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    expect(
      JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '').charts.spectrum[0]
        .name,
    ).toBeTypeOf('string');
  });

  it('loads nothing from a network and forbids it', () => {
    expect(html).toContain("default-src 'none'");
    expect(html.match(/(src|href)="(?!#)[^"]*"/g)).toBeNull();
    expect(html).not.toMatch(/@import|url\(/);
  });

  it('has the verdict before any number, tables with captions, and stays small', () => {
    expect(html.indexOf('class="banner')).toBeLessThan(html.indexOf('<table'));
    expect(html.match(/<table><caption>/g)?.length).toBeGreaterThanOrEqual(3);
    expect(html.length).toBeLessThan(2_000_000);
  });

  it('opens the objectives of an endpoint where one was crossed, and folds the others', () => {
    const groups = [...html.matchAll(/<details class="group"( open)?><summary>(.*?)<\/summary>/gs)];
    expect(analysis.objectives.map(({ outcome }) => outcome).sort()).toEqual(['crossed', 'undecided']);
    expect(groups).toHaveLength(2);
    for (const [, opened, summary = ''] of groups)
      expect(opened !== undefined, summary).toBe(/crossed|no samples/.test(summary));
    expect(html).not.toMatch(/class="[^"]*passed/);
    const kept = { ...analysis, objectives: analysis.objectives.map((one) => ({ ...one, outcome: 'kept' as const })) };
    expect(reportHtml(kept, undefined)).not.toContain('<details class="group" open');
  });

  const chromium = findChromium();
  if (chromium === undefined) console.warn('SKIPPED: the report is not opened, because there is no chromium');
  it.skipIf(chromium === undefined).each([
    ['light', {}],
    ['dark, on a phone', { dark: true, width: 390 }],
  ] as const)(
    'draws its charts in a browser without a word on the console, %s',
    async (_, options) => {
      const page = await openPage(chromium ?? '', made('report.html', html), options);
      expect(page.errors).toEqual([]);
      // Set by the last line of the client script: an error before it would leave it out.
      expect(page.drawn).toBe(true);
      expect(page.canvases).toBeGreaterThanOrEqual(4);
      // Wide tables scroll in boxes of their own.
      expect(page.overflowPx).toBe(0);
    },
    90_000,
  );

  it.skipIf(chromium === undefined)(
    'an error in a page is noticed, whatever its kind',
    async () => {
      const broken = made(
        'broken.html',
        '<script>console.error("said");setTimeout(() => { throw new Error("thrown"); });</script><img src="file:///no/such.png">',
      );
      const { errors, drawn } = await openPage(chromium ?? '', broken);
      for (const word of ['said', 'thrown', 'ERR_FILE_NOT_FOUND']) expect(errors.join()).toContain(word);
      expect(drawn).toBe(false);
    },
    90_000,
  );
});

describe('other formats', () => {
  it('JUnit is well-formed XML with undecided objectives skipped, as the exit code has them', () => {
    const xml = reportJunit(analysis);
    expect(xml).not.toContain('<img');
    expect(xml.match(/<testcase/g)).toHaveLength(3);
    expect(xml).toMatch(/<skipped message="undecided: [^"]*of this load would decide"/);
    expect(xml).toMatch(/name="objectives" tests="2" failures="1" errors="0" skipped="1"/);
    // What is not known fails nothing here either; `gate` refuses it.
    const missing = [{ fact: 'how the run ended', rules: ['run-ended'], bring: '--log FILE' }];
    const verdict = { ...analysis.verdict, status: 'UNPROVEN', reasons: [], missing } as const;
    expect(reportJunit({ ...analysis, verdict })).toMatch(
      /name="verdict UNPROVEN">\n *<skipped message="not known: how the run ended; bring it with --log FILE/,
    );
    expect(reportMarkdown({ ...analysis, verdict })).toMatch(
      /Load test: UNPROVEN\n\n- \*\*not known\*\* how the run ended/,
    );
    expect(reportHtml({ ...analysis, verdict }, undefined)).toContain('not known</span> how the run ended');
    // An objective without samples could not be judged, and makes the test invalid.
    const [first] = analysis.objectives;
    if (first === undefined) throw new Error('no objective');
    const empty = reportJunit({ ...analysis, objectives: [{ ...first, outcome: 'no samples' }] });
    expect(empty).toMatch(/errors="1" skipped="0">\n.*\n *<error message="no samples/);
    // Well-formed: taken away, the elements leave no angle bracket, and each opened one is closed.
    const tags = xml.replace(/^<\?xml[^>]*\?>/, '').match(/<[^>]*>/g) ?? [];
    const open: string[] = [];
    for (const tag of tags) {
      const name = /^<\/?(\w+)/.exec(tag)?.[1] ?? '';
      if (tag.startsWith('</')) expect(open.pop()).toBe(name);
      else if (!tag.endsWith('/>')) open.push(name);
    }
    expect(open).toEqual([]);
    expect(
      xml
        .replace(/^<\?xml[^>]*\?>/, '')
        .replace(/<\/?[\w]+(\s+\w+="[^"<>]*")*\s*\/?>/g, '')
        .trim(),
    ).toBe('');
  });

  it('Markdown keeps one row a population, with no cell border or mention from a name', () => {
    const rows = reportMarkdown(analysis)
      .split('\n')
      .filter((line) => line.startsWith('| ') && line.includes('2xx'));
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(row.replaceAll('\\|', '').match(/\|/g)).toHaveLength(9);
    expect(reportMarkdown(analysis)).not.toMatch(/@team/);
  });
});

describe('escapes', () => {
  it('of JSON in scripts and Markdown', () => {
    expect(escapeJson({ a: '</script><!--\u2028' })).toBe('{"a":"\\u003c/script\\u003e\\u003c!--\\u2028"}');
    expect(JSON.parse(escapeJson({ a: EVIL }))).toEqual({ a: EVIL });
    expect(escapeMarkdown('a|b\nc*d*')).toBe('a\\|b c\\*d\\*');
    expect(escapeMarkdown(`k6's "log" & <b> #1`)).toBe(`k6's "log" &amp; &lt;b&gt; \\#1`);
  });

  it('of Markdown gives each character once: unescaped it is the text', () => {
    const text = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
    const back = escapeMarkdown(text)
      .replace(/\\([!-/:-@[-`{-~])/g, '$1')
      .replace(/&(amp|lt|gt|quot|#\d+);/g, (entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>' })[entity] ?? entity)
      .replaceAll('\u200b', '');
    expect(back).toBe(text);
  });
});
