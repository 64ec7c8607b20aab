export { PaperSelect } from './paper-select.tsx';
export { useReport } from './use-report.tsx';
