export { breedingValueParts } from './breeding-values.ts';
export { type Audience, type Report, type ReportPart, writtenRows } from './report.ts';
export { readReportPlace } from './report-place.ts';
export { printReport } from './report-run.ts';
export type { ReportTraits } from './report-traits.ts';
