import type { Options } from '@heterosis/contracts/options/define-options';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { parameterRows } from './parameter-rows.ts';

/** What people call a parameter of a run: as its option, or the API's own name in words where it reads well enough. */
export function useParameterName(kind: RunKind): (key: string) => string {
  const { t, i18n } = useTranslation();
  const { path } = RUN_KINDS[kind];
  const textOf = useOptionText(path, RUN_CONTRACTS[path].options);
  return (key) => {
    const title = textOf(key as never, 'title');
    if (title !== '') return title;
    const own = `runs.parameter.${key}`;
    if (i18n.exists(own)) return String(t(own as 'runs.parameter.software_version'));
    const words = key.replaceAll('_', ' ');
    return words.charAt(0).toLocaleUpperCase() + words.slice(1);
  };
}

/** Parameters of a run as rows of a table. */
export function useParameterRows(kind: RunKind): (parameters: Readonly<Record<string, unknown>>) => [string, string][] {
  const { t } = useTranslation();
  const nameOf = useParameterName(kind);
  const table: Options = RUN_CONTRACTS[RUN_KINDS[kind].path].options;
  return (parameters) =>
    parameterRows(parameters, {
      yes: t('word.yes'),
      no: t('word.no'),
      entries: (count) => t('runs.entries', { count }),
      nameOf,
      isByName: (key) => table[key]?.byName === true,
    });
}
