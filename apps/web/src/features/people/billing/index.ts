export { PlanSentence } from './plan-sentence.tsx';
export { OfferCard, PriceCards } from './price-cards.tsx';
export { UnpaidBanner } from './unpaid-banner.tsx';
