import { useNavigate, useSearch } from '@tanstack/react-router';

/** The chosen tab of a page's one tab strip, in the address: a reload keeps it. Spread into `TabStrip`. */
export function useTabInAddress(): { value: string | undefined; onChange: (id: string) => void } {
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false });
  return {
    value: tab,
    onChange: (next) =>
      void navigate({
        to: '.',
        search: (previous) => ({ ...previous, tab: next }),
        replace: true,
        resetScroll: false,
      }),
  };
}
