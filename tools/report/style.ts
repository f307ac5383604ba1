/** Style of the report: one sheet, light and dark by the reader's setting, narrow screens and paper thought of. */
export const STYLE = `
:root { color-scheme: light dark; --bg: #fff; --fg: #1c2024; --dim: #5b6570; --line: #d5dae0; --card: #f5f7f9;
  --good: #12703a; --warn: #8a5800; --bad: #b3261e; --good-bg: #e3f4e8; --warn-bg: #fff2d6; --bad-bg: #fde8e6; --accent: #1f5fbf; }
@media (prefers-color-scheme: dark) { :root { --bg: #14171a; --fg: #e7eaed; --dim: #a0a9b2; --line: #363d44; --card: #1d2226;
  --good: #6fd693; --warn: #f3c164; --bad: #ff8a80; --good-bg: #15301f; --warn-bg: #35290f; --bad-bg: #3b1a18; --accent: #82b1ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--fg); font: 15px/1.5 system-ui, sans-serif; }
main, header { max-width: 1180px; margin: 0 auto; padding: 0 16px; }
header { padding-top: 12px; } header > p { margin: 0; font-size: .88rem; line-height: 1.4; }
h1 { font-size: 1.35rem; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 20px 0 6px; }
.dim, figcaption, caption { color: var(--dim); }
.banner { border-left: 8px solid; border-radius: 6px; padding: 8px 16px; margin: 10px 0; }
.banner strong { font-size: 1.4rem; letter-spacing: .03em; }
.VALID { background: var(--good-bg); border-color: var(--good); } .VALID strong { color: var(--good); }
.SUSPECT, .UNPROVEN { background: var(--warn-bg); border-color: var(--warn); } .SUSPECT strong, .UNPROVEN strong { color: var(--warn); }
.INVALID { background: var(--bad-bg); border-color: var(--bad); } .INVALID strong { color: var(--bad); }
.reasons { list-style: none; margin: 4px 0 0; padding: 0; } .reasons li { margin: 4px 0; overflow-wrap: anywhere; } .reasons details { margin: 0; } .reasons summary { color: inherit; } .reasons p { margin: 2px 0 6px 1.2em; }
.tag { display: inline-block; min-width: 5em; font-weight: 600; } .invalid { color: var(--bad); } .suspect { color: var(--warn); } .note { color: var(--dim); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
caption { text-align: left; padding: 8px 10px; }
/* The words stay in sight when the table is scrolled sideways, and break where the box ends. */
caption span { position: sticky; left: 10px; display: inline-block; max-width: min(1120px, 100vw - 56px); }
th, td { padding: 6px 10px; border-top: 1px solid var(--line); text-align: right; white-space: nowrap; vertical-align: top; }
th:first-child, td:first-child, .text { text-align: left; } td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 11em; }
.wrap { white-space: normal; min-width: 14em; } h3 { font-size: 1rem; margin: 20px 0 6px; }
thead th { background: var(--card); border-top: 0; position: sticky; top: 0; }
td small { display: block; color: var(--dim); } td.weak { color: var(--dim); font-style: italic; }
.kept { color: var(--good); } .crossed { color: var(--bad); } .undecided, .no-samples { color: var(--warn); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 10px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 5px 10px; font-size: .88rem; line-height: 1.3; overflow-wrap: anywhere; } .card b { display: block; font-size: 1.15rem; }
.groups { display: grid; grid-template-columns: repeat(auto-fill, minmax(265px, 1fr)); gap: 6px; } h2 small { color: var(--dim); font-weight: 400; font-size: .88rem; }
.group { margin: 0; border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; font-size: .88rem; min-width: 0; } .group[open] { grid-column: 1 / -1; } .group > summary { color: inherit; overflow-wrap: anywhere; }
.group > summary span { white-space: nowrap; } .group .scroll { margin: 6px 0; } .group caption { display: none; } .group details { margin: 4px 0; } .group td:first-child { min-width: 16em; }
figure { margin: 14px 0; border: 1px solid var(--line); border-radius: 6px; padding: 12px; background: var(--card); break-inside: avoid; }
figcaption { margin-bottom: 6px; } figcaption b { color: var(--fg); }
.chart { width: 100%; min-height: 40px; } .chart canvas { max-width: 100%; }
.uplot, .u-legend { font-family: inherit !important; } .u-legend { font-size: .85rem; }
.key { margin: 6px 0 0; font-size: .85rem; } .key span { display: inline-block; width: 1.1em; height: .9em; margin-left: .5em; vertical-align: -1px; }
details { margin: 10px 0; } summary { cursor: pointer; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 8px; top: 8px; background: var(--bg); padding: 6px; }
footer { max-width: 1180px; margin: 30px auto; padding: 0 16px; color: var(--dim); font-size: .88rem; }
@media (max-width: 600px) { body { font-size: 14px; } th, td { padding: 5px 7px; } td:first-child { min-width: 7em; max-width: 9em; } .group td:first-child { min-width: 11em; max-width: none; } .wrap { min-width: 10em; } td.text:not(.wrap) { white-space: normal; } h1 { font-size: 1.15rem; } }
@media print { body { font-size: 10pt; } figure, .banner, tr { break-inside: avoid; } details > * { display: block; } .scroll { overflow: visible; } .wrap { white-space: normal; min-width: 14em; } h3 { font-size: 1rem; margin: 20px 0 6px; }
thead th { position: static; } }
`;
