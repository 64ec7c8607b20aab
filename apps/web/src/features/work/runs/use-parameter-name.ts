import { useTranslation } from 'react-i18next';

/** What people call a parameter of the API; the API's own name in words where it reads well enough. */
export function useParameterName(): (key: string) => string {
  const { t, i18n } = useTranslation();
  return (key) => {
    const path = `runs.parameter.${key}`;
    if (i18n.exists(path)) return String(t(path as 'runs.parameter.n_fold'));
    const words = key.replaceAll('_', ' ');
    return words.charAt(0).toLocaleUpperCase() + words.slice(1);
  };
}
