import {
  DOMParser as Parser,
  DOMSerializer,
  Fragment,
  Slice,
  type Attrs,
  type DOMOutputSpec,
} from "prosemirror-model";
import type { EditorProps } from "prosemirror-view";
import { withLists } from "../form/html/commands.ts";
import { COPIED, copiedBlocks, pastedBlocks, pastedText, readCopied } from "../form/html/paste.ts";
import { allowedAttributes, schema } from "../form/html/schema.ts";

/* What the formatted text writes to the clipboard, and what it makes of a pasted text. */

const written = (name: string, { source = "" }: Attrs, isEmpty: boolean): DOMOutputSpec => {
  const attributes = allowedAttributes(name, String(source));
  const element = name === "line" ? "div" : name;
  return isEmpty ? [element, attributes] : [element, attributes, 0];
};

/** Writes the elements as they are for other programs, and exactly for another field. */
class Serializer extends DOMSerializer {
  constructor() {
    super(
      {
        ...DOMSerializer.nodesFromSchema(schema),
        ...Object.fromEntries(
          Object.values(schema.nodes)
            .filter(({ isText }) => !isText)
            .map(({ name, isLeaf, inlineContent }) => [
              name,
              ({ attrs }) => written(name, attrs, isLeaf && !inlineContent),
            ]),
        ),
      },
      Object.fromEntries(
        Object.keys(schema.marks).map((name) => [name, ({ attrs }) => written(name, attrs, false)]),
      ),
    );
  }

  override serializeFragment(
    fragment: Fragment,
    options?: { document?: Document },
    target?: HTMLElement | DocumentFragment,
  ): HTMLElement | DocumentFragment {
    const nodes = super.serializeFragment(fragment, options, target);
    if (target === undefined) nodes.firstElementChild?.setAttribute(COPIED, copiedBlocks(fragment));
    return nodes;
  }
}

class PasteParser extends Parser {
  override parseSlice(root: Node): Slice {
    const copied = root instanceof Element ? root.querySelector(`[${COPIED}]`)?.getAttribute(COPIED) : null;
    const blocks = copied == null ? undefined : readCopied(copied);
    return Slice.maxOpen(blocks ?? pastedBlocks(root));
  }
}

export const clipboard: Pick<
  EditorProps,
  | "clipboardSerializer"
  | "clipboardParser"
  | "clipboardTextParser"
  | "transformPasted"
  | "transformPastedHTML"
> = {
  clipboardSerializer: new Serializer(),
  clipboardParser: new PasteParser(schema, []),
  clipboardTextParser: (text, $context) => pastedText(text, $context.marks()),
  transformPasted: (slice, view) => withLists(slice, view.state.selection.$from),
  // The editor would apply the styles of another program, and lose those that only mean something to that program.
  transformPastedHTML: (html) => {
    const text = html.replace(/<style[\s>].*?<\/style>/gis, "");
    return text.includes(COPIED) ? text : text.replaceAll("data-pm-slice", "data-slice");
  },
};
