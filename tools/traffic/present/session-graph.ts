/** Which request follows which, as a drawing: circles by number of requests, arrows by number of transitions. */
import { largest } from '../../../lib/model/extremes.ts';
import { escapeMarkup } from '../../../lib/model/markup.ts';
import { type StepTable, stepName } from '../model/flow-shapes.ts';
import type { TrafficModel } from '../model/model.ts';

const MAX_NODES = 12;
const SIZE = 560;

export function sessionGraph(model: TrafficModel, suite: StepTable): string {
  const nodes = model.endpoints.slice(0, MAX_NODES);
  if (nodes.length === 0) return '';
  const total = largest(nodes.map((node) => node.requests));
  const place = new Map(
    nodes.map((node, i) => {
      const angle = (2 * Math.PI * i) / nodes.length - Math.PI / 2;
      return [node.name, [SIZE / 2 + 190 * Math.cos(angle), SIZE / 2 + 190 * Math.sin(angle)] as const];
    }),
  );
  const edges = model.thinkTimes.filter((one) => place.has(one.from) && place.has(one.to));
  const most = largest(
    edges.map((edge) => edge.n),
    1,
  );
  const parts: string[] = [
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>',
  ];
  for (const edge of edges) {
    if (edge.n < 0.01 * most) continue;
    const [x1, y1] = place.get(edge.from) as readonly [number, number];
    const [x2, y2] = place.get(edge.to) as readonly [number, number];
    const width = (0.6 + (4 * edge.n) / most).toFixed(1);
    const title = `<title>${escapeMarkup(edge.step)}: ${edge.n}</title>`;
    if (edge.from === edge.to) {
      parts.push(
        `<path d="M${x1 - 9} ${y1 - 14}c-30 -50 48 -50 18 0" fill="none" stroke="#57606a" stroke-width="${width}" marker-end="url(#tip)">${title}</path>`,
      );
      continue;
    }
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    // Bent to one side, so that both directions can be seen.
    const [cx, cy] = [(x1 + x2) / 2 - 24 * uy, (y1 + y2) / 2 + 24 * ux];
    parts.push(
      `<path d="M${(x1 + 16 * ux).toFixed(1)} ${(y1 + 16 * uy).toFixed(1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${(x2 - 18 * ux).toFixed(1)} ${(y2 - 18 * uy).toFixed(1)}" fill="none" stroke="#57606a" stroke-opacity=".7" stroke-width="${width}" marker-end="url(#tip)">${title}</path>`,
    );
  }
  for (const node of nodes) {
    const [x, y] = place.get(node.name) as readonly [number, number];
    parts.push(
      `<circle cx="${x}" cy="${y}" r="${(6 + 12 * Math.sqrt(node.requests / total)).toFixed(1)}" fill="#1f6feb"><title>${escapeMarkup(node.name)}: ${node.requests}</title></circle>`,
    );
    parts.push(`<text x="${x}" y="${y + 32}" text-anchor="middle">${escapeMarkup(stepName(node.name, suite))}</text>`);
  }
  return `<svg viewBox="0 0 ${SIZE} ${SIZE}" style="max-width:640px" role="img" aria-label="Session graph">${parts.join('')}</svg>`;
}
