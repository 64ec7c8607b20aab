export { KeepAsList } from './keep-as-list.tsx';
export { listQuery } from './lists.api.ts';
export { TakeFromList } from './take-from-list.tsx';
