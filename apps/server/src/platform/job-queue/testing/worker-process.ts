import { pino } from 'pino';
import { openDatabase } from '../../database/database.ts';
import { startBoss } from '../boss.ts';
import { startWorker } from '../worker.ts';
import { notesRegistrations } from './notes.job.ts';

/** A worker in its own process, for tests that kill it: `node worker-process.ts <database url>`. */
const url = process.argv[2] ?? '';
const OFFER = { cores: 1, memoryMb: 100, diskMb: async () => 100 };
const logger = pino({ level: 'silent' });
const db = openDatabase({ url, max: 2 });
const boss = await startBoss({ url, logger, role: 'worker' });
await startWorker({ boss, db, logger, registrations: notesRegistrations(db), concurrency: 1, offer: OFFER });
