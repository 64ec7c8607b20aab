export type { Audience, Report, ReportPart } from './report.ts';
export { readReportPlace } from './report-place.ts';
export { printReport } from './report-run.ts';
export type { ReportTraits } from './report-traits.ts';
