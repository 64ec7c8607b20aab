import { recordedValueFile, valueFileFields, valueFileReview } from '../../data/value-files.ts';
import { type Endpoints, PROJECT_MEMBER, post } from '../../endpoint.ts';

/** Values of plots from files: exports of Field Book, and long and wide tables. */
export const valueFilesApi = {
  reviewValuesFile: post('/projects/:project_id/trials/:id/values_file/review', PROJECT_MEMBER, {
    summary: 'What a file of values would change in a trial, without storing it',
    description:
      'A form with the file (CSV, TSV or XLSX; at most 10 MB and 100,000 values) and the choices as JSON. Plots are found by plot id, name, number, or row and column; the trial by the id of the plot, its name, or its place.',
    form: valueFileFields,
    answer: valueFileReview,
    readOnly: true,
    costly: true,
  }),
  recordValuesFile: post('/projects/:project_id/trials/:id/values_file', PROJECT_MEMBER, {
    summary: 'Store the values of a file',
    description:
      'All or none, as reviewed with the same choices; the same file again adds nothing. Refused while something is undecided: unknown traits, differences, refused values.',
    form: valueFileFields,
    answer: recordedValueFile,
    costly: true,
  }),
} as const satisfies Endpoints;
