export function Source({ id }: { id: string }) {
  return <h1>Source {id}</h1>;
}
