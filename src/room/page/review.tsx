import type { JSX } from "preact";
import type { Section } from "../ui-spec-schema.ts";
import { Button, Form } from "./controls.tsx";

/** Draws what is worth a second look, with the person's answer. */
export const Review = ({ review }: { review: Section<"review"> }): JSX.Element => (
  <section class="card blk review" aria-labelledby="s-review">
    <h2 id="s-review">{review.heading}</h2>
    <ul class="s">
      {review.reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
    <Form class="row">
      {review.actions.map((action) => (
        <Button key={action.id} action={action} />
      ))}
    </Form>
  </section>
);
