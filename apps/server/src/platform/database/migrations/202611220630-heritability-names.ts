import { type Kysely, sql } from 'kysely';

/**
 * Models stored shares of the phenotypic variance as h2 and H2. From now on h2 and H2 are ratios of the stored
 * variance components; the shares keep their values as kinship_pve and dominance_pve. Standard errors cannot be
 * computed retrospectively.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    with components as (
      select
        model_id,
        trait,
        (variance->>'additive')::double precision as additive,
        (variance->>'dominance')::double precision as dominance,
        (variance->>'additive')::double precision + coalesce((variance->>'dominance')::double precision, 0)
          + (variance->>'residual')::double precision as total
      from model_traits
      where variance is not null and not jsonb_exists(variance, 'kinship_pve')
    )
    update model_traits
    set
      variance = model_traits.variance || jsonb_build_object(
        'h2', case when total > 0 then additive / total else 0 end,
        'kinship_pve', model_traits.variance->'h2',
        'dominance_pve',
          case when dominance is not null
            then (fit->>'H2')::double precision - (model_traits.variance->>'h2')::double precision end,
        'standard_errors', null),
      fit = fit || jsonb_build_object(
        'H2', case when total > 0 then (additive + coalesce(dominance, 0)) / total else 0 end)
    from components
    where components.model_id = model_traits.model_id and components.trait = model_traits.trait
  `.execute(db);
}
