import { useNavigate, useSearch } from '@tanstack/react-router';

/** The trait that is looked at, in the address: it stays when another tab is chosen or the page is loaded again. */
export function useTraitInAddress(traits: readonly string[]): { trait: string; choose: (trait: string) => void } {
  const navigate = useNavigate();
  const { trait: wanted } = useSearch({ strict: false }) as { trait?: string };
  return {
    trait: traits.find((one) => one === wanted) ?? traits[0] ?? '',
    choose: (trait) =>
      void navigate({
        to: '.',
        search: (previous) => ({ ...previous, trait }),
        replace: true,
        resetScroll: false,
      }),
  };
}
