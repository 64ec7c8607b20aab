import type { Services } from '../../../../platform/http/app.ts';
import { findTraitSettings } from '../../../people/projects/index.ts';

/** What figures and tables say of the traits of a run. */
export interface ReportTraits {
  /** `Observed (t/ha)`: a name with the unit of a trait, where the project keeps one. */
  withUnit(name: string, trait: string): string;
  /** Low values are wanted. */
  isLow(trait: string): boolean;
}

export async function readReportTraits(
  { db }: Pick<Services, 'db'>,
  projectId: string,
  traits: readonly string[],
): Promise<ReportTraits> {
  const settings = new Map((await findTraitSettings(db, projectId, traits)).map((one) => [one.name, one]));
  return {
    withUnit(name, trait) {
      const unit = settings.get(trait)?.unit;
      return unit ? `${name} (${unit})` : name;
    },
    isLow: (trait) => settings.get(trait)?.direction === 'lower',
  };
}
