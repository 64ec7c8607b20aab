export { useShare } from './use-share.tsx';
