import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { up } from './migrations/202611220630-heritability-names.ts';
import { createTestDatabase } from './testing.ts';

test('stored models get the ratios of their components, and what was stored as h2 becomes the share of the variance', async () => {
  const { db, close } = await createTestDatabase();
  try {
    const model = uuidv7();
    await db.transaction().execute(async (trx) => {
      // Rows without the model they belong to: the migration reads nothing else.
      await sql`set local session_replication_role = replica`.execute(trx);
      const insert = async (trait: string, variance: object | null, fit: object | null) => {
        await sql`
          insert into model_traits (model_id, trait, variance, fit)
          values (${model}, ${trait}, ${JSON.stringify(variance)}::jsonb, ${JSON.stringify(fit)}::jsonb)
        `.execute(trx);
      };
      await insert('additive', { additive: 3, dominance: null, residual: 5, h2: 0.52 }, { n: 10, H2: 0.52 });
      await insert('dominance', { additive: 2, dominance: 1, residual: 1, h2: 0.6 }, { n: 10, H2: 0.85 });
      await insert('none', { additive: 0, dominance: null, residual: 0, h2: 0 }, { n: 10, H2: 0 });
      await sql`insert into model_traits (model_id, trait) values (${model}, 'failed')`.execute(trx);
      // Kysely types of a known schema do not fit those of none.
      await up(trx as never);
      // A model of today is left alone.
      await up(trx as never);
      const { rows } = await sql<{ trait: string; variance: unknown; fit: unknown }>`
        select trait, variance, fit from model_traits where model_id = ${model} order by trait
      `.execute(trx);
      const absent = { dominance_pve: null, standard_errors: null };
      expect(rows).toEqual([
        {
          trait: 'additive',
          variance: { additive: 3, dominance: null, residual: 5, h2: 0.375, kinship_pve: 0.52, ...absent },
          fit: { n: 10, H2: 0.375 },
        },
        {
          trait: 'dominance',
          variance: {
            additive: 2,
            dominance: 1,
            residual: 1,
            h2: 0.5,
            kinship_pve: 0.6,
            dominance_pve: 0.25,
            standard_errors: null,
          },
          fit: { n: 10, H2: 0.75 },
        },
        { trait: 'failed', variance: null, fit: null },
        {
          trait: 'none',
          variance: { additive: 0, dominance: null, residual: 0, h2: 0, kinship_pve: 0, ...absent },
          fit: { n: 10, H2: 0 },
        },
      ]);
    });
  } finally {
    await close();
  }
});
