import { installFailingWrites } from './failing-writes.ts';

// Loaded by compute processes with `--import`: the directory and the control file are in the environment.
const [directory = '', control = ''] = (process.env['FAILING_WRITES'] ?? '').split(':');
installFailingWrites(directory, control, 'child');
