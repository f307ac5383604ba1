/**
 * Script of the report, run in the reader's browser: draws the charts from the page's JSON with uPlot. Plain JavaScript
 * in a string, because it runs in another world than this module; names reach the page as text only (uPlot writes
 * labels with textContent, axes with fillText).
 */
export const CLIENT = `
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const palette = { '2xx': '#2b7fd9', '3xx': '#12937f', '4xx': '#c77700', '5xx': '#d33a2f', other: '#8a63d2' };
  const many = ['#2b7fd9', '#d33a2f', '#12937f', '#c77700', '#8a63d2', '#c2408f', '#5f7d1f', '#7a5c3e', '#2aa4b8', '#777f88', '#b8860b', '#4b5fc0'];
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (v) => v == null ? '-' : v >= 100 ? v.toFixed(0) : v >= 1 ? v.toFixed(1) : v.toPrecision(2);
  // Rounded before it is split, so that no 60 s are left over; what is 0 is left out.
  const time = (v) => {
    if (v < 60) return (v < 59.95 ? +v.toFixed(v < 1 ? 2 : 1) + 's' : '1m');
    const s = Math.round(v), part = (n, unit) => n > 0 ? n + unit : '';
    return part(Math.floor(s / 3600), 'h') + part(Math.floor(s % 3600 / 60), 'm') + (s < 3600 ? part(s % 60, 's') : '');
  };
  // Steps of a time axis that give round labels.
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
  const timeAxis = () => axis('time into the run', { incrs: steps, values: (u, v) => v.map(time) });
  const plots = [];
  const widthOf = (id) => (document.getElementById(id) || {}).clientWidth || 0;

  function axis(label, extra) {
    return Object.assign({ stroke: css('--dim'), grid: { stroke: css('--line'), width: 1 }, ticks: { stroke: css('--line') }, label, labelSize: 22, labelFont: '12px system-ui', font: '12px system-ui' }, extra);
  }
  const shades = { setup: '#8883', warmup: '#c7770022', measure: '#2b7fd911', teardown: '#8883' };
  function shadePhases(u) {
    for (const { phase, from, to } of data.charts.phases) {
      const x0 = u.valToPos(from, 'x', true), x1 = u.valToPos(to, 'x', true);
      u.ctx.fillStyle = shades[phase] || '#8882';
      u.ctx.fillRect(x0, u.bbox.top, Math.max(1, x1 - x0), u.bbox.height);
    }
  }
  function plot(id, series, columns, options) {
    const place = document.getElementById(id);
    if (!place || columns[0].length === 0) return;
    const make = () => {
      place.textContent = '';
      const o = Object.assign({ width: Math.max(260, place.clientWidth), height: 250, cursor: { drag: { x: true, y: false } },
        scales: { x: { time: false } }, hooks: { drawClear: [shadePhases] },
        axes: [timeAxis(), axis(options.unit, { size: 62, values: (u, v) => v.map((x) => x == null ? '' : number(x)) })] }, options.more);
      o.series = [{ label: options.xLabel || 'time', value: (u, v) => v == null ? '-' : (options.xValue || time)(v) }].concat(series.map((s) => Object.assign({ width: 1.5, spanGaps: false, points: { show: columns[0].length < 40 }, value: (u, v) => number(v) }, s)));
      return new uPlot(o, columns, place);
    };
    plots.push({ place, make, made: make() });
  }
  const logScale = { distr: 3, log: 10 };
  // uPlot asks for all minor ticks of a log axis; only powers of ten get a label.
  const decades = (u, v) => v.map((x) => x != null && Math.abs(Math.log10(x) - Math.round(Math.log10(x))) < 1e-9 ? number(x) : '');

  function draw() {
    const c = data.charts;
    if (!c) return;
    const latency = [], columns = [c.seconds];
    for (const one of c.latency) {
      const colour = palette[one.statusClass] || palette.other;
      // Told apart by lightness, in the line and in the legend's square: dashes of that size cannot be seen.
      latency.push({ label: one.statusClass + ' p50', stroke: colour, width: 2 }, { label: one.statusClass + ' p95', stroke: colour + 'a6', dash: [6, 4] }, { label: one.statusClass + ' max', stroke: colour + '59', width: 1, dash: [2, 3] });
      columns.push(one.p50.map(positive), one.p95.map(positive), one.max.map(positive));
    }
    plot('latency', latency, columns, { unit: 'ms', more: { scales: { x: { time: false }, y: logScale }, axes: [timeAxis(), axis('ms', { size: 62, values: decades })] } });
    plot('errors', [{ label: 'requests/s', stroke: '#2b7fd9' }, { label: 'failures/s', stroke: '#d33a2f', fill: '#d33a2f33' }, { label: 'dropped/s', stroke: '#c77700', dash: [4, 3] }], [c.seconds, c.requests, c.failures, c.dropped], { unit: 'per second' });
    if (data.vus.length > 1) {
      const xs = data.vus.map((p) => p.second);
      const made = new Map(data.vusMax.map((p) => [p.second, p.value]));
      const rows = [xs, data.vus.map((p) => p.value), xs.map((x) => made.has(x) ? made.get(x) : null)];
      const series = [{ label: 'busy VUs (open sessions)', stroke: '#2b7fd9' }, { label: 'VUs made', stroke: '#777f88', dash: [4, 3] }];
      if (data.maxVUs) { rows.push(xs.map(() => data.maxVUs)); series.push({ label: 'allowed by the plan', stroke: '#d33a2f', dash: [2, 4] }); }
      plot('vus', series, rows, { unit: 'VUs' });
    }
    if (data.generator) {
      const g = data.generator;
      plot('generator', [{ label: 'generator, cores', stroke: '#2b7fd9' }, { label: 'machine, cores', stroke: '#777f88', dash: [4, 3] }, { label: 'memory, GB', stroke: '#8a63d2', scale: 'gb' }], [g.seconds, g.cpu, g.machine, g.gb],
        { unit: 'cores', more: { axes: [timeAxis(), axis('cores', { size: 52 }), axis('GB', { scale: 'gb', side: 1, size: 52, grid: { show: false } })] } });
    }
    spectrum();
    heat();
  }
  function positive(v) { return v == null || v <= 0 ? null : v; }
  function spectrum() {
    const c = data.charts;
    const xs = data.spectrumAt.map((p) => -Math.log10(1 - p));
    const label = (x) => (100 * (1 - Math.pow(10, -x))).toFixed(x > 3 ? 2 : x > 2 ? 1 : 0) + ' %';
    const sets = c.spectrum.map((s) => ({ name: s.name, values: s.values })).concat((data.overlay || []).map((s) => ({ name: s.name + ' (other run)', values: s.values, dashed: true })));
    plot('spectrum', sets.map((s, i) => ({ label: s.name, stroke: many[i % (c.spectrum.length || 1) % many.length], dash: s.dashed ? [6, 4] : undefined, points: { show: true, size: 4 } })), [xs].concat(sets.map((s) => s.values.map(positive))), {
      unit: 'ms', xLabel: 'quantile', xValue: label, more: { hooks: {}, scales: { x: { time: false }, y: logScale },
        axes: [axis(widthOf('spectrum') < 600 ? 'share of faster requests (log axis)' : 'share of requests that are faster (log axis towards the slowest)', { splits: () => [0, 1, 2, 3, 4], values: () => ['0 %', '90 %', '99 %', '99.9 %', '99.99 %'] }), axis('ms', { size: 62, values: decades })] } });
  }
  function shade(level) { return dark.matches ? 'hsl(212 75% ' + (20 + 55 * level) + '%)' : 'hsl(212 75% ' + (88 - 58 * level) + '%)'; }
  function heat() {
    const place = document.getElementById('heat'), h = data.charts.heat;
    if (!place || h.cells.length === 0) return;
    place.textContent = '';
    const canvas = document.createElement('canvas'), width = Math.max(260, place.clientWidth), height = 240, ratio = devicePixelRatio || 1;
    canvas.width = width * ratio; canvas.height = height * ratio; canvas.style.width = width + 'px'; canvas.style.height = height + 'px';
    canvas.setAttribute('role', 'img'); canvas.setAttribute('aria-label', 'Heat map of latency over time; the table above has the numbers');
    const g = canvas.getContext('2d'); g.scale(ratio, ratio);
    const left = 62, bottom = 30, rows = h.high - h.low + 1, w = (width - left - 8) / h.columns, t = (height - bottom - 6) / rows;
    const most = Math.log(1 + h.cells.reduce((n, x) => Math.max(n, x[2]), 0));
    for (const [x, y, n] of h.cells) {
      const level = Math.log(1 + n) / most;
      g.fillStyle = shade(level);
      g.fillRect(left + x * w, 6 + (h.high - y) * t, Math.ceil(w), Math.ceil(t));
    }
    g.fillStyle = css('--dim'); g.font = '12px system-ui'; g.textAlign = 'right';
    for (let d = Math.ceil(h.low / h.perDecade); d <= h.high / h.perDecade + 0.2; d++) g.fillText(number(Math.pow(10, d)) + ' ms', left - 6, 6 + (h.high + 1 - d * h.perDecade) * t + 4);
    g.textAlign = 'center';
    const whole = h.columns * h.columnSeconds, step = steps.find((s) => whole / s <= (width - left) / 70) || whole;
    for (let t = 0; t <= whole; t += step) g.fillText(time(t), Math.min(width - 20, left + t / whole * (width - left - 8)), height - 8);
    place.appendChild(canvas);
    // The scale of the colours: counts at the ends and, by the logarithm, in the middle.
    const key = document.createElement('p'), shades = [0, 0.25, 0.5, 0.75, 1], highest = Math.exp(most) - 1;
    key.className = 'dim key';
    key.append('answers in a cell: ');
    for (const level of shades) {
      const square = document.createElement('span');
      square.style.background = shade(level);
      key.append(square, ' ' + Math.max(1, Math.round(Math.exp(level * most) - 1)).toLocaleString('en-US') + (level === 1 ? '' : '  '));
    }
    if (highest >= 1) place.appendChild(key);
  }
  draw();
  let timer;
  addEventListener('resize', () => { clearTimeout(timer); timer = setTimeout(redraw, 150); });
  function redraw() { for (const p of plots) p.made.destroy(); plots.length = 0; draw(); }
  dark.addEventListener('change', redraw);
  addEventListener('beforeprint', redraw);
  document.documentElement.dataset.drawn = 'yes';
})();
`;
