/** The traffic of the ticket tracker: triage, reports and dashboards side by side. */
import { loadTest, sessionOf } from 'bookstore-load';
import * as flows from './tracker/flows.ts';

export const { options, setup, handleSummary } = loadTest({ name: 'tracker-mix', flows: { ...flows } });
export const triage = sessionOf(flows.triage);
export const report = sessionOf(flows.report);
export const dashboard = sessionOf(flows.dashboard);
