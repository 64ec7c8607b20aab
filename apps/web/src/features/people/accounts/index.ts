export { profileQuery, RUN_MAILS_ID } from './accounts.api.ts';
export { usePaper } from './use-paper.ts';
