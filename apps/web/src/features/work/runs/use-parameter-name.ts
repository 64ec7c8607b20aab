import { RUN_OPTIONS } from '@heterosis/contracts/options/tables';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';

/** What people call a parameter of a run: as its option, or the API's own name in words where it reads well enough. */
export function useParameterName(kind: RunKind): (key: string) => string {
  const { t, i18n } = useTranslation();
  const textOf = useOptionText(RUN_KINDS[kind].path, RUN_OPTIONS[kind]);
  return (key) => {
    const title = textOf(key as never, 'title');
    if (title !== '') return title;
    const path = `runs.parameter.${key}`;
    if (i18n.exists(path)) return String(t(path as 'runs.parameter.software_version'));
    const words = key.replaceAll('_', ' ');
    return words.charAt(0).toLocaleUpperCase() + words.slice(1);
  };
}
