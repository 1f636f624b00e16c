import type { Money } from '../../../kernel/money.js';
import type { Identifier } from './semantic-parties.js';
import type { SemanticAdjustment, SemanticPeriod, SemanticTax } from './semantic-terms.js';

/** BG-25. */
export interface SemanticLine {
  /** BT-126. */
  id: string;
  /** BT-127. */
  note: string | null;
  /** BT-128. */
  object: Identifier | null;
  /** BT-129, a decimal. */
  quantity: string;
  /** BT-130, UNECE Recommendation 20. */
  unit: string;
  /** BT-131. */
  net: Money;
  /** BT-132. */
  orderLine: string | null;
  /** BT-133. */
  buyerAccountingReference: string | null;
  /** BG-26. */
  period: SemanticPeriod | null;
  /** BG-27. */
  allowances: SemanticAdjustment[];
  /** BG-28. */
  charges: SemanticAdjustment[];
  /** BG-29. */
  price: SemanticPrice;
  /** BG-30. */
  tax: SemanticTax;
  /** BG-31. */
  item: SemanticItem;
}

/** Amounts of it are decimals in major units, with as many places as they need. */
export interface SemanticPrice {
  /** BT-146. */
  net: string;
  /** BT-148, with BT-147. */
  gross: { price: string; discount: string } | null;
  /** BT-149; `1` is not written. Its unit, BT-150, is that of the line. */
  baseQuantity: string;
}

/** BG-31. */
export interface SemanticItem {
  /** BT-153. */
  name: string;
  /** BT-154. */
  description: string | null;
  /** BT-155. */
  sellerId: string | null;
  /** BT-156. */
  buyerId: string | null;
  /** BT-157. */
  standardId: Identifier | null;
  /** BT-158. */
  classifications: { list: string; code: string; version: string | null }[];
  /** BT-159. */
  originCountry: string | null;
  /** BG-32. */
  attributes: { name: string; value: string }[];
}
