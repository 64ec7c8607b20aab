import { answerTasks } from '../../../../platform/processes/answer-tasks.ts';
import type { Report } from './report.ts';
import { reportAsPdf } from './report-pdf.ts';

/** Entry point of the thread that prints reports. */
answerTasks((report: Report) => reportAsPdf(report));
