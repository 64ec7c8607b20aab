export type { Audience, Report } from './report.ts';
export { printReport } from './report-run.ts';
