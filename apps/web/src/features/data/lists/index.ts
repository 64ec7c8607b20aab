export { KeepAsList } from './keep-as-list.tsx';
export { TakeFromList } from './take-from-list.tsx';
