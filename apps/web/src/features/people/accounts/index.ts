export { profileQuery, RUN_MAILS_ID } from './accounts.api.ts';
