import type { OptionRow, Options } from '@heterosis/contracts/options/define-options';
import { useTranslation } from 'react-i18next';

/**
 * Texts of the options of a table. The English ones stand there; a translation has them as
 * `options.<analysis>.<option>.label` and `.hint`.
 */
export function useOptionText<Table extends Options>(analysis: string, table: Table) {
  const { t, i18n } = useTranslation();
  return (name: keyof Table & string, part: 'label' | 'hint'): string => {
    const path = `options.${analysis}.${name}.${part}`;
    const row: OptionRow | undefined = table[name];
    return i18n.exists(path) ? String(t(path as 'gwas.run')) : (row?.[part] ?? '');
  };
}
