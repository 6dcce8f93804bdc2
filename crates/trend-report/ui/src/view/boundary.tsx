/** Keeps a fault of one page from taking the others along: says what happened and leaves the bar usable. */

import { Component, type ComponentChildren } from 'preact';

interface Props {
  children: ComponentChildren;
}

export class Boundary extends Component<Props, { error: unknown }> {
  override state = { error: null };

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ error });
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <>
        <h1>This page could not be drawn</h1>
        <p class="failure">
          {String(error)}. The other pages are not affected; the numbers are in{' '}
          <code>trend-prof show --format json</code>.
        </p>
      </>
    );
  }
}
