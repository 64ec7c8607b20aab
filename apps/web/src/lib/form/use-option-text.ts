import type { OptionRow, Options } from '@heterosis/contracts/options/define-options';
import { useTranslation } from 'react-i18next';

/** `title`: what the page of a run calls the option. `labels`: a choice of it. */
type Part = 'label' | 'hint' | 'title' | 'labels';

/**
 * Texts of the options of a table. The English ones stand there; a translation has them as
 * `options.<analysis>.<option>.label`, `.hint`, `.title` and `.labels.<choice>`.
 */
export function useOptionText<Table extends Options>(analysis: string, table: Table) {
  const { t, i18n } = useTranslation();
  return (name: keyof Table & string, part: Part, choice?: string | null): string => {
    const path = [`options.${analysis}.${name}.${part}`, ...(choice === undefined ? [] : [choice])].join('.');
    if (i18n.exists(path)) return String(t(path as 'gwas.create'));
    const row: OptionRow | undefined = table[name];
    if (part === 'labels') return row?.labels?.[String(choice)] ?? String(choice);
    return (part === 'title' ? (row?.title ?? row?.label) : row?.[part]) ?? '';
  };
}
