import { useTranslation } from 'react-i18next';

/** The words for a quantity; those that a scheme reports have names of its own. */
export function useQuantityName(): (quantity: string) => string {
  const { t, i18n } = useTranslation();
  return (quantity) => {
    const path = `programmes.quantityOf.${quantity}`;
    return i18n.exists(path) ? String(t(path as 'programmes.quantityOf.accuracy')) : quantity;
  };
}
