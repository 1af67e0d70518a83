import { bytesOf } from "./bytes.ts";
import {
  DERIVED,
  END,
  type DerivedPlan,
  type FieldPlan,
  type ObjectPlan,
  type Piece,
  type Template,
  type Templates,
} from "./plan.ts";

/** Which fields are there decides all bytes between the values; few combinations occur, and each is put together once. */

export const newTemplates = (): Templates => ({ next: new Map(), template: undefined });

export function nextTemplates(templates: Templates, bits: number): Templates {
  let next = templates.next.get(bits);
  if (next === undefined) templates.next.set(bits, (next = newTemplates()));
  return next;
}

export function makeTemplate(plan: ObjectPlan, isThere: (field: FieldPlan) => boolean): Template {
  const template: Template = [];
  let before: string[] = [];
  for (const { field, leftOut, prefix, derived } of plan.steps) {
    const isWritten = field !== undefined && isThere(field);
    if (!isWritten && leftOut !== undefined) before.push(leftOut);
    else {
      template.push(
        isWritten
          ? pieceOf([...before, prefix], field.kind, undefined, field)
          : pieceOf([...before, prefix], DERIVED, derived, undefined),
      );
      before = [];
    }
  }
  template.push(pieceOf([...before, "}"], END, undefined, undefined));
  return template;
}

function pieceOf(
  before: string[],
  kind: number,
  derived: DerivedPlan | undefined,
  field: FieldPlan | undefined,
): Piece {
  return { before: bytesOf(before.join("")), kind, derived, field, slot: field?.slot ?? 0 };
}
