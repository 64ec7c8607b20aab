export { BinLink } from './bin-link.tsx';
export { useAnnounceDeleted } from './use-announce-deleted.ts';
