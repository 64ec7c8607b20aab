export { PlanSentence } from './plan-sentence.tsx';
