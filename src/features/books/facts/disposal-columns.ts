import type { Disposal } from '../../../engine/model.ts';
import { type ColumnsOf, cents, day, flag, mark, quantity, text, textsIfAny, word } from './column.ts';

/** The columns of `disposals`, in the order in which a disposal that is read has its members. */
export const disposalColumns = {
  id: text('id'),
  causedOn: day('caused_on'),
  on: day('on_day'),
  saleId: text('sale_id'),
  lotId: text('lot_id'),
  asset: text('asset'),
  assetClass: word<Disposal['assetClass']>('asset_class'),
  account: text('account'),
  quantity: quantity('quantity'),
  acquired: day('acquired'),
  heldSince: day('held_since'),
  inherited: flag('inherited'),
  sold: day('sold'),
  proceeds: cents('proceeds'),
  basis: cents('basis'),
  term: word<Disposal['term']>('term'),
  box: word<Disposal['box']>('box'),
  boxReason: text('box_reason'),
  shortSale: flag('short_sale'),
  expired: word<Disposal['expired']>('expired'),
  code: text('code'),
  adjustment: cents('adjustment'),
  basisUnknown: flag('basis_unknown'),
  identified: word<Disposal['identified']>('identified'),
  description: word<Disposal['description']>('description'),
  acquiredVarious: mark('acquired_various'),
  formRows: textsIfAny('form_rows'),
  purchaseUnknown: mark('purchase_unknown'),
} satisfies ColumnsOf<Disposal>;
