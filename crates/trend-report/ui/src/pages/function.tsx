export function FunctionPage({ id }: { id: string }) {
  return <h1>FunctionPage {id}</h1>;
}
