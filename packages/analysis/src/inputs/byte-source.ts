export { openFileSource } from '@heterosis/file-formats/byte-source';
